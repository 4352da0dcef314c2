import type { SharedMessage } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { AnswerText } from "../answering/answer-text.tsx";
import { modelName } from "../conversation/types.ts";
import styles from "./sharing.module.css";

/** The messages of a shared chat. Nothing can be asked, changed or run here. */
export function SharedMessages({ messages }: { messages: readonly SharedMessage[] }) {
  return messages.map(({ kind, text, model, files, is_complete }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the copy never changes
    <section key={index} className={kind === "question" ? styles.question : styles.answer}>
      <h2 className="small muted user-text">{kind === "question" ? t`Question` : modelName(model ?? "")}</h2>
      {kind === "question" ? (
        <p className={styles.asWritten} dir="auto">
          {text}
        </p>
      ) : (
        <AnswerText text={text} streaming={false} />
      )}
      {files.length > 0 ? <p className="small muted mt-2 user-text">{t`With ${files.join(", ")}`}</p> : null}
      {is_complete ? null : <p className="small muted mt-2">{t`The answer is not complete.`}</p>}
    </section>
  ));
}
