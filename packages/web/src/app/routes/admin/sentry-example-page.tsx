import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "#/features/admin/admin.module.css";
import { feather } from "#/lib/feather.ts";

/** The response to a call that the server has to reject; status and code are null if it did not. */
type ErrorReport = { status: number | null; code: string | null; message: string; requestId: string | null };

/** Causes errors on purpose, in the browser and on the server, to test error reporting. */
export default function SentryExamplePage() {
  const [shouldThrow, setShouldThrow] = useState(false);
  const [answer, setAnswer] = useState<ErrorReport | null>(null);
  const [busy, setBusy] = useState(false);
  if (shouldThrow) throw new Error("A test of error reporting, thrown on purpose.");

  async function requestError(): Promise<void> {
    setBusy(true);
    setAnswer(await requestRejectedCall());
    setBusy(false);
  }

  return (
    <>
      <PageHeader
        title={t`Error reporting test`}
        description={t`Makes an error on purpose, so that you see where errors go before you need to know.`}
      />
      <section className="mt-6">
        <h2 className="h4">{t`In the browser`}</h2>
        <p className="muted mt-2 measure">
          {t`Drawing this page fails. The error takes the place of the page and stands in the console of this browser. Nothing is sent anywhere: this site has no service for errors.`}
        </p>
        <button type="button" className="btn danger mt-4" onClick={() => setShouldThrow(true)}>
          {t`Throw in the browser`}
        </button>
      </section>
      <section className="mt-8">
        <h2 className="h4">{t`On the server`}</h2>
        <p className="muted mt-2 measure">
          {t`Asks for a report before 1970, which the server has to refuse. Every answer carries the id of its request; where the server itself fails, its log holds the line “request failed” with the same id.`}
        </p>
        <button type="button" className="btn mt-4" disabled={busy} aria-busy={busy} onClick={requestError}>
          {busy ? t`Asking …` : t`Ask the server for an error`}
        </button>
        <div role="status">
          {answer ? (
            <dl className={`${styles.pairs} mt-4 ${styles.form}`}>
              <Fact label={t`Status`}>
                <StateBadge tier={answer.status === null ? "bad" : "good"}>
                  {answer.status === null ? t`not reached` : t`refused with ${answer.status}, as it should`}
                </StateBadge>
              </Fact>
              <Fact label={t`Code`}>{answer.code ?? "–"}</Fact>
              <Fact label={t`Message`}>{answer.message}</Fact>
              <Fact label={t`Request`}>{answer.requestId ?? "–"}</Fact>
            </dl>
          ) : null}
        </div>
      </section>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="user-text">{children}</dd>
    </div>
  );
}

async function requestRejectedCall(): Promise<ErrorReport> {
  try {
    await feather.admin.usage({ start: -1, end: -1 });
    return { status: null, code: null, message: t`The server accepted what it should refuse.`, requestId: null };
  } catch (error) {
    if (!isApiError(error))
      return { status: null, code: null, message: t`The server cannot be reached.`, requestId: null };
    const { status, code, message, requestId } = error;
    return { status, code, message, requestId };
  }
}
