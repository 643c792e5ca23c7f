/*
 * One word for one thing, in both languages (`test/console/strings.test.ts` holds the nouns):
 *
 *   action Aktion · approval Genehmigung (approve genehmigen) · audit Protokoll · binding Zuordnung (bind zuordnen) ·
 *   counter Zähler · data tag Datenart · decision Entscheidung · entity Entität · entry Eintrag · evaluation Bewertung ·
 *   finding Befund · held angehalten · house policy Hausrichtlinie · id ID · integration Integration · key Schlüssel ·
 *   label Label · list Liste · operator Operator · owner (a role) Inhaber · policy Richtlinie · proposal Vorschlag ·
 *   record Aufzeichnung · replay nachspielen · review Prüfung · reviewer Prüfer · root Wurzel · rule Regel ·
 *   session Sitzung · severity Schweregrad · tool Tool · verify verifizieren · violation Verstoß
 *
 * A button is a verb with its object ("Create a key", „Schlüssel anlegen“), without a full stop; the button of a question is the
 * verb of what it does, never "Yes". German says "Sie", or avoids it.
 */
import { auditStrings } from './en/audit.ts';
import { bindingStrings } from './en/bindings.ts';
import { entityStrings } from './en/entities.ts';
import { evaluationStrings } from './en/evaluations.ts';
import { frameStrings } from './en/frame.ts';
import { integrationStrings } from './en/integrations.ts';
import { listStrings } from './en/lists.ts';
import { mcpServerStrings } from './en/mcp-servers.ts';
import { nowStrings } from './en/now.ts';
import { operatorStrings } from './en/operators.ts';
import { policyStrings } from './en/policies.ts';
import { proposalStrings } from './en/proposals.ts';
import { recordStrings } from './en/record.ts';
import { reviewStrings } from './en/reviews.ts';
import { sessionStrings } from './en/sessions.ts';
import { startStrings } from './en/start.ts';
import { statisticStrings } from './en/statistics.ts';
import { tableStrings } from './en/tables.ts';
import { violationStrings } from './en/violations.ts';
import { webhookStrings } from './en/webhooks.ts';

/** Everything the console says. Other languages have the same shape: de.ts. */
export const en = {
  code: 'en',
  ...frameStrings,
  ...nowStrings,
  ...tableStrings,
  ...reviewStrings,
  ...sessionStrings,
  ...evaluationStrings,
  ...violationStrings,
  ...policyStrings,
  ...bindingStrings,
  ...proposalStrings,
  ...integrationStrings,
  ...mcpServerStrings,
  ...operatorStrings,
  ...auditStrings,
  ...listStrings,
  ...entityStrings,
  ...startStrings,
  ...webhookStrings,
  ...statisticStrings,
  ...recordStrings,
};

/** The shape that every language has. */
export type Strings = typeof en;
