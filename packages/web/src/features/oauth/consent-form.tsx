import { isApiError, type ScopeInfo, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { ImpersonationNotice } from "#/entities/session/impersonation-notice.tsx";
import { useLogOut } from "#/entities/session/use-log-out.ts";
import { userQuery } from "#/entities/session/user.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./consent-form.module.css";
import { RequestedScopes } from "./requested-scopes.tsx";

/** The application that requests access. */
export type RequestingApplication = { name: string; description: string; verified: boolean };
/** The user's decision, with the scopes they confirmed separately. */
export type ConsentDecision = { decision: "approve" | "deny"; confirmed_scope?: string };

type Props = {
  application: RequestingApplication;
  scopes: readonly ScopeInfo[];
  user: User;
  /** Further information for the user: the redirect's destination, or the code that the device shows. */
  children: ReactNode;
  /** Sends the decision. The buttons stay disabled afterwards, because the page is left or replaced. */
  onDecide(answer: ConsentDecision): Promise<void>;
};

/**
 * Asks the user whether an application may act for them. Texts of the application are quoted, because they are not
 * trusted. Impersonating admins see the request without the buttons, because the server accepts the decision only from
 * the user.
 */
export function ConsentForm({ application, scopes, user, children, onDecide }: Props) {
  const client = useQueryClient();
  const logOut = useLogOut(); // the route guard then asks for another user, and leads back
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const { run, variables, busy, error } = useAction(onDecide, {
    showsError: true,
    once: true,
    onError: (cause) => {
      // The session has expired: the route guard redirects to the login and back.
      if (isApiError(cause) && cause.status === 401) void client.invalidateQueries({ queryKey: userQuery.queryKey });
    },
  });
  const isActing = Boolean(user.impersonated_by);
  const getButtonLabel = (decision: "approve" | "deny", text: string) =>
    busy && variables?.decision === decision ? t`Please wait …` : text;
  return (
    <>
      <h1 className="h2 user-text">
        <bdi>{application.name}</bdi> {t`wants to act for you`}
      </h1>
      {isActing ? (
        <ImpersonationNotice>{t`Only they can allow or refuse applications.`}</ImpersonationNotice>
      ) : (
        children
      )}
      {application.description ? (
        <p className="muted mt-4 user-text clamped">
          {t`It says of itself:`}{" "}
          <q>
            <bdi>{application.description}</bdi>
          </q>
        </p>
      ) : null}
      {application.verified ? null : (
        <p className="notice mt-4">
          <strong>{t`Not verified.`}</strong>{" "}
          {t`Nobody of this server has looked at this application. Allow it only if you know who made it.`}
        </p>
      )}
      <RequestedScopes
        scopes={scopes}
        confirmed={confirmed}
        onConfirm={(scope, isConfirmed) =>
          setConfirmed((previous) => (isConfirmed ? [...previous, scope] : previous.filter((other) => other !== scope)))
        }
        disabled={busy || isActing}
      />
      <p className="small muted mt-4 user-text">
        <Trans>
          You are signed in as <strong>{user.username}</strong> and act for{" "}
          <span dir="auto">{user.organization.name}</span>.
        </Trans>{" "}
        <button type="button" className="link" onClick={() => void logOut()} disabled={busy}>
          {t`Not you?`}
        </button>
      </p>
      {error ? (
        <p className="notice mt-4" role="alert">
          {errorMessage(error)}
        </p>
      ) : null}
      {isActing ? (
        <Link className="btn mt-6" to="/">
          {t`Back to home`}
        </Link>
      ) : (
        <>
          <div className={`${styles.choices} mt-6`}>
            <button type="button" className="btn" disabled={busy} onClick={() => void run({ decision: "deny" })}>
              {getButtonLabel("deny", t`Refuse`)}
            </button>
            <button
              type="button"
              className="btn primary"
              disabled={busy}
              aria-busy={busy && variables?.decision === "approve"}
              onClick={() =>
                void run({ decision: "approve", ...(confirmed.length > 0 && { confirmed_scope: confirmed.join(" ") }) })
              }
            >
              {getButtonLabel("approve", t`Allow`)}
            </button>
          </div>
          <p className="small faint mt-4">{t`You can take this back at any time in your profile.`}</p>
        </>
      )}
    </>
  );
}
