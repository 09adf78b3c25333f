import json

from billing.settings import Settings
from billing.settlement import Response, SettlementClient


def test_import_rewrites_references_from_before_2024():
    payment = {"reference": "stl_2023_000042", "amount": 1250, "currency": "EUR", "invoice": "2023-0007"}
    answers = [(201, {"id": "b1", "state": "open"}), (201, payment), (200, {"id": "b1", "state": "closed"})]
    requests = []

    def transport(request, timeout):
        requests.append(request)
        status, data = answers.pop(0)
        return Response(status, json.dumps(data).encode())

    client = SettlementClient(transport, Settings({}, environ={}))
    row = {"reference": "STL-42/23", "amount": "12.50", "currency": "EUR", "invoice": "2023-0007"}
    assert client.import_legacy_batch("old", [row]).state == "closed"
    assert json.loads(requests[1].body)["reference"] == "stl_2023_000042"
