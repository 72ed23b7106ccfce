"""What a person edits: a sheet of rows and fields beside the text; one file per kind of work."""
