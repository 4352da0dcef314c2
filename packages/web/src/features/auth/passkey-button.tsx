import { t } from "@lingui/core/macro";
import { useState } from "react";
import type { User } from "#/entities/session/user.ts";
import { passkeyErrorMessage } from "./webauthn.ts";

type Props = {
  label: string;
  /** Whether it is the page's primary action. */
  primary?: boolean;
  /** Asks the browser for a passkey, and signs in with it. */
  signIn(): Promise<User>;
  onSignedIn(user: User): void | Promise<void>;
};

/** A button that signs in with a passkey. Errors appear above it. */
export function PasskeyButton({ label, primary = false, signIn, onSignedIn }: Props) {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function handleClick(): Promise<void> {
    setError(null);
    setBusy(true);
    try {
      await onSignedIn(await signIn());
    } catch (reason) {
      setError(passkeyErrorMessage(reason));
      setBusy(false);
    }
  }

  return (
    <div className="mt-4">
      {error ? (
        <p className="notice mb-4" role="alert">
          {error}
        </p>
      ) : null}
      <button
        type="button"
        className={`btn full${primary ? " primary" : ""}`}
        disabled={busy}
        aria-busy={busy}
        onClick={() => void handleClick()}
      >
        {busy ? t`One moment …` : label}
      </button>
    </div>
  );
}
