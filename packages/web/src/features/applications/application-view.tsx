import type { Application } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { DetailList } from "#/components/ui/lists/detail-list.tsx";
import { useUser } from "#/entities/session/user.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { ApplicationForm } from "./application-form.tsx";
import { toFormValues } from "./application-schema.ts";
import { ApplicationSecretDialog } from "./application-secret-dialog.tsx";
import { CLIENT_TYPES, getStatusLabel, getStatusToggle } from "./labels.ts";
import { createPkceSamples } from "./pkce-samples.ts";
import { useApplication } from "./use-application.ts";

/** The page of one application: details, code samples, secret, edit form and deletion. */
export function ApplicationView({
  application,
  readOnlyReason,
}: {
  application: Application;
  readOnlyReason: string | null;
}) {
  const { name, status, client_type } = application;
  const { tier, label, note } = getStatusLabel(status);
  const { error, busy, secret, closeSecret, setStatus, save, regenerateSecret, remove } = useApplication(application);
  const toggle = getStatusToggle(status);
  const mayChange = readOnlyReason === null;
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2 user-text" dir="auto">
          {name}
        </h1>
        {mayChange && toggle ? (
          <button type="button" className="btn" disabled={busy} onClick={() => setStatus(toggle.to)}>
            {toggle.label}
          </button>
        ) : null}
      </div>
      <p className="mt-2">
        <StateBadge tier={tier}>{label}</StateBadge>
      </p>
      {note ? <AsideNote>{note}</AsideNote> : null}
      {readOnlyReason ? <AsideNote role="note">{readOnlyReason}</AsideNote> : null}
      <ErrorNotice error={error} />
      <Details application={application} />
      <section className="mt-8" aria-labelledby="sign-in">
        <h2 className="h3" id="sign-in">
          {t`Sign people in`}
        </h2>
        <p className="muted mt-2 mb-5">{t`Authorization code with PKCE. The code works once, within 60 seconds.`}</p>
        <CodeTabs samples={createSamples(application)} />
      </section>
      {mayChange ? (
        <>
          {client_type === "confidential" ? <SecretSection renew={regenerateSecret} busy={busy} /> : null}
          <section className="mt-8" aria-labelledby="change">
            <h2 className="h3 mb-5" id="change">
              {t`Change it`}
            </h2>
            <ReviewNote />
            <ApplicationForm
              initial={toFormValues(application)}
              isNew={false}
              submitLabel={t`Save the changes`}
              save={save}
            />
          </section>
          <section className="mt-8" aria-labelledby="delete">
            <h2 className="h3" id="delete">
              {t`Delete it`}
            </h2>
            <p className="muted mt-2">{t`Its tokens end at once, and people who allowed it are signed out of it.`}</p>
            <button type="button" className="btn danger mt-4" onClick={remove}>
              <Trans>Delete {name}</Trans>
            </button>
          </section>
        </>
      ) : null}
      <ApplicationSecretDialog newSecret={secret} close={closeSecret} />
    </>
  );
}

function createSamples({ id, redirect_uris, scopes, client_type }: Application) {
  const redirectUri = redirect_uris[0] ?? "";
  return createPkceSamples({ id, redirectUri, scopes, isPublic: client_type === "public" }, location.origin);
}

function Details({
  application: { id, client_type, redirect_uris, scopes, created_at },
}: {
  application: Application;
}) {
  return (
    <div className="mt-6">
      <DetailList>
        <dt>{t`Client id`}</dt>
        <dd>
          <code className="mono user-text">{id}</code> <CopyButton text={id} />
        </dd>
        <dt>{t`Type`}</dt>
        <dd>
          {CLIENT_TYPES[client_type].name}. <span className="muted">{CLIENT_TYPES[client_type].hint}</span>
        </dd>
        <dt>{t`Redirects to`}</dt>
        <dd>
          {redirect_uris.map((uri) => (
            <div key={uri}>
              <code className="mono user-text">{uri}</code>
            </div>
          ))}
        </dd>
        <dt>{t`Asks for`}</dt>
        <dd className="mono">{scopes.length === 0 ? "–" : scopes.join(", ")}</dd>
        <dt>{t`Registered`}</dt>
        <dd className="num">{formatIsoDay(created_at)}</dd>
      </DetailList>
    </div>
  );
}

function SecretSection({ renew, busy }: { renew(): void; busy: boolean }) {
  return (
    <section className="mt-8" aria-labelledby="secret">
      <h2 className="h3" id="secret">
        {t`Secret`}
      </h2>
      <p className="muted mt-2">{t`It was shown once. A new one can be made; the one before goes on for 24 hours.`}</p>
      <button type="button" className="btn mt-4" disabled={busy} onClick={renew}>
        {t`Make a new secret`}
      </button>
    </section>
  );
}

/**
 * Warns that a change may require a new review. Only the server knows whether applications are reviewed, so everybody
 * but admins sees it.
 */
function ReviewNote() {
  const { user } = useUser();
  if (!user || user.is_admin) return null;
  return (
    <p className="small faint mb-5">
      {t`Where applications are reviewed, a new name, address or permission puts it back into review.`}
    </p>
  );
}
