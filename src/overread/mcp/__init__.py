"""overread for assistants that speak the Model Context Protocol: a few tools over standard input and output."""
