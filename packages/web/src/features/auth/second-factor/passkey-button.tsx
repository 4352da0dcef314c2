import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useAction } from "#/lib/use-action.ts";
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
  const action = useAction(signIn, { showsError: true, once: true, onSuccess: onSignedIn });
  const error = action.error === null ? null : passkeyErrorMessage(action.error);

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
        disabled={action.busy}
        aria-busy={action.busy}
        onClick={() => void action.run()}
      >
        {action.busy ? t`Please wait …` : label}
      </button>
    </div>
  );
}
