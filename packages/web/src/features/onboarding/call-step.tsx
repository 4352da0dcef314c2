import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { DetailList } from "#/components/ui/lists/detail-list.tsx";
import { feather } from "#/lib/feather.ts";
import { formatCount } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./call-step.module.css";
import { createFirstCallSamples, FIRST_PROMPT, listAssistantSettings } from "./first-call.ts";
import type { UseCase } from "./steps.ts";

type Props = { use: UseCase; model: string; secret: string | null; next(): void };
type CallResult = { text: string; tokens: number; ms: number };

/** The step with the first call: code samples, or the settings of an assistant, and a button that tries it. */
export function CallStep({ use, model, secret, next }: Props) {
  const isAssistant = use === "assistant";
  return (
    <>
      <h2 className="h3">{isAssistant ? t`Set the assistant up` : t`Your first call`}</h2>
      <p className="muted mt-2 mb-5">
        {secret
          ? t`With your key in it: it is here until you leave this page.`
          : t`Put your key where it says so. A key is shown only when it is made.`}{" "}
        <Trans>
          The model: <ModelId id={model} />.
        </Trans>
      </p>
      {isAssistant ? (
        <AssistantSettings rows={listAssistantSettings(model, location.origin, secret)} />
      ) : (
        <CodeTabs samples={createFirstCallSamples(model, location.origin, secret)} />
      )}
      <TryCall model={model} />
      <button type="button" className="btn primary mt-6" onClick={next}>
        {t`Go on`}
      </button>
    </>
  );
}

function AssistantSettings({ rows }: { rows: readonly [string, string | null][] }) {
  return (
    <>
      <DetailList>
        {rows.map(([name, value]) => (
          <div key={name} className={styles.settingRow}>
            <dt>{name}</dt>
            <dd>
              {value === null ? (
                <span className="muted">{t`your key`}</span>
              ) : (
                <>
                  <code className="mono user-text">{value}</code> <CopyButton text={value} />
                </>
              )}
            </dd>
          </div>
        ))}
      </DetailList>
      <p className="small muted mt-3">
        <Trans>
          Step by step:{" "}
          <Link className="link" to="/cline">
            Cline
          </Link>
          ,{" "}
          <Link className="link" to="/roo-code">
            Roo Code
          </Link>
          .
        </Trans>
      </p>
    </>
  );
}

/** Sends the first call from the browser, as the signed-in user. */
function TryCall({ model }: { model: string }) {
  const [answer, setAnswer] = useState<CallResult | null>(null);
  const startedAt = useRef(0);
  const call = useAction(
    (content: string) =>
      feather.chat.completions.create({ model, messages: [{ role: "user", content }], max_tokens: 64 }),
    { showsError: true },
  );
  async function send(): Promise<void> {
    setAnswer(null);
    startedAt.current = performance.now();
    const result = await call.run(FIRST_PROMPT);
    if (!result) return;
    const { choices, usage } = result.value;
    const text = choices[0]?.message.content;
    setAnswer({
      text: typeof text === "string" ? text : "",
      tokens: usage?.completion_tokens ?? 0,
      ms: Math.round(performance.now() - startedAt.current),
    });
  }
  return (
    <div className="mt-4">
      <div className="row wrapping">
        <button type="button" className="btn" disabled={call.busy} aria-busy={call.busy} onClick={() => void send()}>
          {call.busy ? t`Waiting for the answer …` : t`Try it from here`}
        </button>
        <span className="small faint">{t`It sends what the code above sends, as you.`}</span>
      </div>
      <div aria-live="polite">
        <ErrorNotice error={call.error} />
        {answer ? (
          <figure className={`${styles.tryAnswer} mt-4`}>
            <blockquote className="user-text">{answer.text.trim() || t`The answer was empty.`}</blockquote>
            <figcaption className="small faint num">
              <Trans>
                <Plural value={answer.tokens} one="# token" other="# tokens" /> in {formatCount(answer.ms)} ms
              </Trans>
            </figcaption>
          </figure>
        ) : null}
      </div>
    </div>
  );
}
