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
import { evaluationStrings } from './en/evaluations.ts';
import { firstLoadStrings } from './en/first-load.ts';
import { integrationStrings } from './en/integrations.ts';
import { listStrings } from './en/lists.ts';
import { operatorStrings } from './en/operators.ts';
import { policyStrings } from './en/policies.ts';
import { reviewStrings } from './en/reviews.ts';
import { tableStrings } from './en/tables.ts';

/** Everything the console says. Other languages have the same shape: de.ts. */
export const en = {
  code: 'en',
  ...firstLoadStrings,
  ...tableStrings,
  ...reviewStrings,
  ...evaluationStrings,
  ...policyStrings,
  ...integrationStrings,
  ...operatorStrings,
  ...listStrings,
};

/** The shape that every language has. */
export type Strings = typeof en;
