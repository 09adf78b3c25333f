"""A small billing service with a made-up history, for trying the miner on something that never changes."""
