import type { SentPassage } from "@feather/sdk";
import { citedNumbers } from "@feather/sdk/collections";
import { t } from "@lingui/core/macro";
import { useMemo, useState } from "react";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import { nameSource } from "../../conversation/passage-source.ts";
import { AnswerText } from "../answer-text.tsx";
import { CitationsContext } from "../citations/citations-context.ts";
import styles from "./cited-answer.module.css";

type Props = { text: string; streaming: boolean; passages: readonly SentPassage[] };

/** An answer whose numbers in brackets show the passages that they stand for, with a list of these below it. */
export function CitedAnswer({ text, streaming, passages }: Props) {
  const [shown, setShown] = useState<number | null>(null);
  const count = passages.length;
  const citations = useMemo(() => ({ count, show: setShown }), [count]);
  const numbers = streaming ? [] : citedNumbers(text, count);
  const passage = shown === null ? undefined : passages[shown - 1];
  return (
    <>
      <CitationsContext value={citations}>
        <AnswerText text={text} streaming={streaming} hasPreviews />
      </CitationsContext>
      {numbers.length > 0 ? (
        <ul className={styles.sources} aria-label={t`Passages that the answer names`}>
          {numbers.map((number) => {
            const source = passages[number - 1];
            return source ? (
              <li key={number}>
                <button
                  type="button"
                  className="plain user-text"
                  aria-haspopup="dialog"
                  onClick={() => setShown(number)}
                >
                  {`[${number}] ${nameSource(source)}`}
                </button>
              </li>
            ) : null;
          })}
        </ul>
      ) : null}
      <Sheet open={passage !== undefined} onClose={() => setShown(null)} title={t`Passage ${shown ?? 0}`}>
        {passage ? (
          <>
            <p className="small muted user-text mb-4">{nameSource(passage)}</p>
            <blockquote className={styles.passage} dir="auto">
              {passage.text}
            </blockquote>
          </>
        ) : null}
      </Sheet>
    </>
  );
}
