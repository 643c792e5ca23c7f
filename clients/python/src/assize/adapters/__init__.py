"""Adapters for agent frameworks. Each one imports its framework only when it is used."""
