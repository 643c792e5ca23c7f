import type { TSchema } from '@sinclair/typebox';
import {
  ChangeList,
  CreateList,
  ListChange,
  ListKind,
  SharedList,
  SharedListSummary,
} from '../../features/lists/schema.ts';
import { Proposal, ProposalStatus, ProposalSummary, ProposeChange } from '../../features/proposals/schema.ts';
import { Binding, BindPolicy, BoundPolicy, HousePolicy } from '../../schemas/bindings.ts';
import {
  ActivatedPolicy,
  ActivatePolicy,
  CounterStart,
  Policy,
  PolicyChange,
  PolicyCheck,
  PolicyDiff,
  PolicyIssue,
  PolicyMediaType,
  PolicyStatus,
  PolicySummary,
  PolicyTestResult,
  PolicyVersion,
  SavedPolicy,
  SchedulePolicy,
} from '../../schemas/policies.ts';
import { SimulationRequest } from '../../schemas/replays.ts';

/** Those of policies, of their bindings, and of the shared lists that they read. */
export const namedPolicySchemas: Readonly<Record<string, TSchema>> = {
  ActivatedPolicy,
  ActivatePolicy,
  BindPolicy,
  BoundPolicy,
  ChangeList,
  CounterStart,
  CreateList,
  HousePolicy,
  ListChange,
  ListKind,
  Policy,
  PolicyChange,
  PolicyCheck,
  PolicyDiff,
  PolicyIssue,
  PolicyMediaType,
  PolicyStatus,
  PolicySummary,
  PolicyTestResult,
  PolicyVersion,
  Proposal,
  ProposalStatus,
  ProposalSummary,
  ProposeChange,
  SavedPolicy,
  SchedulePolicy,
  SharedList,
  SharedListSummary,
  PolicyBinding: Binding,
  SimulationRequest,
};
