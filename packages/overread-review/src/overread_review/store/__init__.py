"""Where the work is kept: SQLite in the folder, or PostgreSQL by URL."""
