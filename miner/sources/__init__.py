"""Where merged changes come from: one file a kind of source."""
