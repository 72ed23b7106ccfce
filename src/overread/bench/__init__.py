"""The open bench: which metric can be trusted, and how well a reader reads; sets from the open corpus."""
