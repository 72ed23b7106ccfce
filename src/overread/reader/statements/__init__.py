"""The finer grain of reading: one finding of one place each, on any body part and in any imaging language.

`overread.reader.read` keeps a finding whole, with its places and describing words. Atomic sentences need every place
and every quality apart, also for words no table knows: `sentences.Reader` takes the sentences of a Reading apart so.
"""
