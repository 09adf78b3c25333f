"""Running a set: order, budget, one attempt, and the driver that keeps them going."""
