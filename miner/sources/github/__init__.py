"""Merged pull requests as GitHub knows them: listed through its API, their contents from git only."""
