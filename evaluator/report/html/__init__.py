"""report.html: one self-contained page of a run."""
