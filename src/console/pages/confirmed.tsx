import { useEffect } from 'preact/hooks';
import { isConfirmed, tellConfirmed } from '../data/operator/sign-in.ts';
import { Heading } from '../parts/frame/heading.tsx';
import { words } from '../strings/index.ts';

/** Where the identity provider leads who confirmed in a tab of its own. */
export function ConfirmedPage() {
  const { confirmation: text } = words.value;
  const done = isConfirmed();
  useEffect(() => {
    if (done) tellConfirmed();
  }, [done]);
  return (
    <>
      <Heading title={done ? text.confirmedTitle : text.unconfirmedTitle} />
      <p>{done ? text.confirmedText : text.unconfirmedText}</p>
    </>
  );
}
