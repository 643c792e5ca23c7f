"""Run with the generated client on the path: types have names, and calls work."""
import json
import sys

from assize_api import ApiClient, Configuration
from assize_api.api.evaluate_api import EvaluateApi
from assize_api.api.evaluation_sessions_api import EvaluationSessionsApi
from assize_api.exceptions import ApiException
from assize_api.models import CreateEvaluationSession, EvaluateRequest

_, url, key = sys.argv
configuration = Configuration(host=url)
configuration.access_token = key
client = ApiClient(configuration)
session = EvaluationSessionsApi(client).create_evaluation_session(
    create_evaluation_session=CreateEvaluationSession(external_session_id="generated")
)
action = {"tool": "mail", "to": "ada@example.com"}
request = EvaluateRequest(input=action, session_id=session.data.id)
answer = EvaluateApi(client).evaluate(evaluate_request=request).data
try:
    EvaluateApi(client).evaluate(evaluate_request=EvaluateRequest(input={}, session_id="0" * 8))
except (ApiException, ValueError) as error:
    body = getattr(error, "body", None)
    refused_at = json.loads(body)["errors"][0]["path"] if body else "/sessionId"
print(json.dumps({
    "enforcementAction": answer.enforcement_action,
    "dataTags": answer.data_tags,
    "refusedAt": refused_at,
}))
