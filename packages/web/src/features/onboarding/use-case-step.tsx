import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { USE_CASES, type UseCase } from "./steps.ts";

const USE_CASE_LABELS: Record<UseCase, { name: string; hint: string }> = {
  program: { name: t`Call models from a program`, hint: t`A key, and the first call in your language.` },
  assistant: {
    name: t`Use them in a coding assistant`,
    hint: t`Cline, Roo Code, or anything that speaks OpenAI's protocol.`,
  },
  chat: { name: t`Chat in the browser`, hint: t`Nothing to set up.` },
};

/** The step that asks what the user wants to do. */
export function UseCaseStep({ use, next }: { use: UseCase | null; next(use: UseCase): void }) {
  const [selected, setSelected] = useState<UseCase>(use ?? "program");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    next(selected);
  };
  return (
    <form onSubmit={submit}>
      <h2 className="h3">{t`What are you here for?`}</h2>
      <ChoiceList legend={t`What are you here for?`} isLarge>
        {USE_CASES.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="use"
              value={value}
              checked={selected === value}
              onChange={() => setSelected(value)}
            />
            <span>
              <strong>{USE_CASE_LABELS[value].name}</strong>
              <span className="muted small">{USE_CASE_LABELS[value].hint}</span>
            </span>
          </label>
        ))}
      </ChoiceList>
      <button type="submit" className="btn primary mt-6">
        {t`Go on`}
      </button>
    </form>
  );
}
