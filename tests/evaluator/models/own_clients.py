"""Providers with a client of their own that speaks over plain HTTP."""

import importlib.util

from tests.evaluator.models.acts import BEDROCK, COHERE, GEMINI, GROQ, MISTRAL, OLLAMA

MODULES = {
    GEMINI: "google.genai", MISTRAL: "mistralai", OLLAMA: "ollama", COHERE: "cohere", GROQ: "groq", BEDROCK: "boto3",
}  # fmt: skip
KEYS = {
    GEMINI: "GEMINI_API_KEY", MISTRAL: "MISTRAL_API_KEY", OLLAMA: "OLLAMA_API_KEY", COHERE: "COHERE_API_KEY",
    GROQ: "GROQ_API_KEY", BEDROCK: "AWS_BEARER_TOKEN_BEDROCK",
}  # fmt: skip


def installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that it is in
        return False
