"""Many reports at once: pairs joined, scored in order, journalled, added up, written.

Here is what decides a score (`settings`, `measures`, `views`, `limits`), what callers hand over (`given`, `containers`,
`files`, `view_files`), and what Python gives back (`scores`, `readings`). Rooms: `run` has a run from its
files to its folder, `results` what its rows come to, `datasets` what is made of a corpus.
"""
