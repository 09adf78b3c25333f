from billing.settings import Settings, variable


def test_defaults():
    assert Settings(environ={}).get("settlement.timeout", 5) == 30


def test_unknown_names_have_the_default_that_is_asked_for():
    assert Settings(environ={}).get("settlement.key", "none") == "none"


def test_values_win_over_defaults():
    assert Settings({"settlement.timeout": 9}, environ={}).get("settlement.timeout") == 9


def test_the_environment_wins_over_values():
    environ = {"BILLING_SETTLEMENT__TIMEOUT": "10", "BILLING_DUNNING__ENABLED": "no"}
    settings = Settings({"settlement.timeout": 9}, environ=environ)
    assert settings.get("settlement.timeout") == 10
    assert settings.get("dunning.enabled") is False


def test_names_of_variables():
    assert variable("settlement.page_size") == "BILLING_SETTLEMENT__PAGE_SIZE"
