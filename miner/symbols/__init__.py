"""What changed between two texts, by named symbol: extraction per language, comparison, allowed lists."""
