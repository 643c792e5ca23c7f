import { test } from 'tap';
import { expectCases } from './expect.ts';

test('finds passwords that sentences give farther from their name', async (t) => {
  expectCases(t, [
    ['prod db pw rotated, new one is n3w-Kestrel-7, pls update vault', 'PASSWORD=n3w-Kestrel-7'],
    ['the password we agreed on is Kestrel-77x', 'PASSWORD=Kestrel-77x'],
    ["I changed the wifi password. It's now Blue-Tern9.", 'PASSWORD=Blue-Tern9'],
    ['take Blue-Tern9! as the new password', 'PASSWORD=Blue-Tern9!'],
    ['Blue-Tern9! is the password', 'PASSWORD=Blue-Tern9!'],
    ['Ich habe das Passwort auf Blau-Meise7 geändert', 'PASSWORD=Blau-Meise7'],
    ["j'ai changé le mot de passe, c'est Bleu-Merle9 maintenant", 'PASSWORD=Bleu-Merle9'],
    ['la contraseña la cambié a Azul-Mirlo9', 'PASSWORD=Azul-Mirlo9'],
    ['Hasło zmieniłem na Nieb-Kos9', 'PASSWORD=Nieb-Kos9'],
    ['password changed. new → Blue-Tern9', 'PASSWORD=Blue-Tern9'],
    ['the password policy is PBKDF2-SHA256 with 2 rounds'],
    ['set the password to process.env.PASSWORD_V2 in config'],
    ['the password field is UserForm2.tsx'],
    ['the password field is A1-b'],
    ['the password (see above) went where Blue-Tern9 is'],
    ['Blue-Tern9! has the new password'],
    ['nothing is the password'],
    ['as the password'],
  ]);
});
