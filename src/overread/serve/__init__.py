"""overread behind HTTP: warm readers in processes, a bounded queue before them, and nothing of a report in any log."""
