export type { ErrorCode } from '../errors.ts';
export type { ApproveReview, DecideReview, Review, ReviewStatus } from '../features/reviews/schema.ts';
export type {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndEvaluationSession,
  EndedEvaluationSession,
  EndStatus,
  EvaluationSession,
  ListedEvaluationSession,
  RecentAction,
  SessionStatus,
} from '../features/sessions/schema.ts';
export type {
  AcceptTools,
  AllowedTools,
  AllowedToolsRequest,
  ImportedTools,
  ImportTools,
  PutToolCatalogue,
  ToolCatalogue,
} from '../features/tools/schema.ts';
export type {
  EnforcementAction,
  Outcome,
  Phase,
  PolicyMode,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
export type {
  Approval,
  ApprovalReason,
  Detection,
  EvaluateRequest,
  EvaluateResult,
  Evaluation,
  ListedEvaluation,
} from '../schemas/evaluations.ts';
export { type AssizeClient, createAssizeClient } from './client.ts';
export { AssizeError, type AssizeErrorCode, type AssizeErrorDetail } from './error.ts';
export { createGate, type Gate, type GateOptions } from './gate.ts';
export type { GateRequest, GateResult, GateRuns, RunRequest, StartedAction } from './gate-request.ts';
export { AssizeStoppedError } from './gate-request.ts';
export type { GateSession } from './gate-sessions.ts';
export type { CallOptions, ClientOptions, Fetch, FetchInit, FetchResponse, OnceOptions } from './options.ts';
export type { Page, PageRequest, Pagination } from './response.ts';
export type { ReviewFilter, Reviews, WaitOptions } from './reviews.ts';
export type { Evaluate, EvaluateOptions, Session, SessionFilter, Sessions } from './sessions.ts';
export type { ToolCatalogues } from './tool-catalogues.ts';
