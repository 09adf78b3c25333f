"""What a run found: its numbers, and the forms they are printed in."""
