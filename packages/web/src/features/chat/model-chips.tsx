import { t } from "@lingui/core/macro";
import { useState } from "react";
import { ModelPicker } from "./later.tsx";
import { MOST_MODELS, nameOf } from "./types.ts";

type Props = { models: readonly string[]; setModels(models: readonly string[]): void };

/** The conversation's models: each can be replaced or removed, and further ones added for comparison. */
export function ModelChips({ models, setModels }: Props) {
  /** Index of the model being replaced; the length of the list when one is added. */
  const [at, setAt] = useState<number | null>(null);
  const adds = at === models.length;
  const close = () => setAt(null);
  return (
    <>
      {models.map((model, index) => (
        <span key={model} className="chip model-chip">
          <button type="button" title={model} aria-label={t`Model: ${model}`} onClick={() => setAt(index)}>
            {nameOf(model)}
          </button>
          {models.length > 1 ? (
            <button
              type="button"
              aria-label={t`Do not ask ${nameOf(model)}`}
              onClick={() => setModels(models.filter((one) => one !== model))}
            >
              ×
            </button>
          ) : null}
        </span>
      ))}
      {models.length > 0 && models.length < MOST_MODELS ? (
        <button type="button" className="chip" onClick={() => setAt(models.length)}>
          {t`+ compare`}
        </button>
      ) : null}
      <ModelPicker
        open={at !== null}
        title={adds ? t`Ask another model beside it` : t`Choose a model`}
        taken={models.filter((_, index) => index !== at)}
        onClose={close}
        choose={(model) => {
          setModels(adds ? [...models, model] : models.map((one, index) => (index === at ? model : one)));
          close();
        }}
      />
    </>
  );
}
