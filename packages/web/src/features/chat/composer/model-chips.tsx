import { t } from "@lingui/core/macro";
import { useState } from "react";
import { MAX_MODELS, modelName } from "../conversation/types.ts";
import { LazyModelPicker } from "./lazy-model-picker.tsx";
import styles from "./model-chips.module.css";

type Props = { models: readonly string[]; setModels(models: readonly string[]): void };

/** The conversation's models: each can be replaced or removed, and further ones added for comparison. */
export function ModelChips({ models, setModels }: Props) {
  /** Index of the model being replaced; the length of the list when one is added. */
  const [editedIndex, setEditedIndex] = useState<number | null>(null);
  const isAdding = editedIndex === models.length;
  const close = () => setEditedIndex(null);
  return (
    <>
      {models.map((model, index) => (
        <span key={model} className={`chip ${styles.modelChip}`}>
          <button type="button" title={model} aria-label={t`Model: ${model}`} onClick={() => setEditedIndex(index)}>
            {modelName(model)}
          </button>
          {models.length > 1 ? (
            <button
              type="button"
              aria-label={t`Do not ask ${modelName(model)}`}
              onClick={() => setModels(models.filter((one) => one !== model))}
            >
              ×
            </button>
          ) : null}
        </span>
      ))}
      {models.length > 0 && models.length < MAX_MODELS ? (
        <button type="button" className="chip" onClick={() => setEditedIndex(models.length)}>
          {t`+ compare`}
        </button>
      ) : null}
      <LazyModelPicker
        open={editedIndex !== null}
        title={isAdding ? t`Ask another model beside it` : t`Choose a model`}
        chosenModels={models.filter((_, index) => index !== editedIndex)}
        onClose={close}
        onChoose={(model) => {
          setModels(isAdding ? [...models, model] : models.map((one, index) => (index === editedIndex ? model : one)));
          close();
        }}
      />
    </>
  );
}
