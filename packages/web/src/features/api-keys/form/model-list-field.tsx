import { Combobox } from "@base-ui/react/combobox";
import { plural, t } from "@lingui/core/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { queries } from "#/lib/queries.ts";
import { useDebounced } from "#/lib/use-debounced.ts";
import { MAX_KEY_MODELS } from "./key-form-schema.ts";
import styles from "./model-list-field.module.css";

const DEBOUNCE_MS = 250;
const MAX_RESULTS = 20;
/** The longest search that the API takes. */
const MAX_SEARCH_LENGTH = 200;

type Props = {
  label: string;
  /** Ids of the chosen models. */
  value: readonly string[];
  onChange(ids: string[]): void;
  searchText: string;
  onSearch(text: string): void;
  errors: readonly string[];
};

/** Chooses models of the catalogue: a search field with its results, and the chosen ones as chips. */
export function ModelListField({ label, value, onChange, searchText, onSearch, errors }: Props) {
  const id = useId();
  const search = useDebounced(searchText.trim().slice(0, MAX_SEARCH_LENGTH), DEBOUNCE_MS);
  const { data, isPending, isError } = useQuery({
    ...queries.models.list.queryOptions({ perPage: MAX_RESULTS, ...(search !== "" && { search }) }),
    placeholderData: keepPreviousData,
  });
  const results = data?.items.map((model) => model.id) ?? [];
  return (
    <div className={styles.field}>
      <Combobox.Root
        multiple
        items={results}
        filter={null}
        autoHighlight
        value={[...value]}
        onValueChange={(ids, { reason }) => {
          // Escape would clear the choice once the list is closed.
          if (reason !== "escape-key") onChange(ids);
        }}
        inputValue={searchText}
        onInputValueChange={(text, { reason, isItemPress }) => {
          // A text that was typed stays when the list closes, so that the form can say that it was not chosen.
          if (reason !== "input-clear" || isItemPress) onSearch(text);
        }}
      >
        <Combobox.InputGroup className={styles.group}>
          <Combobox.Chips className={styles.chips} aria-label={value.length > 0 ? t`Chosen models` : undefined}>
            {value.map((model) => (
              <Combobox.Chip key={model} className={`chip ${styles.chip}`} aria-label={model}>
                <bdi className={styles.model}>{model}</bdi>
                <Combobox.ChipRemove className={styles.remove} aria-label={t`Remove ${model}`}>
                  <span aria-hidden="true">×</span>
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              className={styles.input}
              aria-label={label}
              placeholder={t`Search models`}
              spellCheck={false}
              maxLength={MAX_SEARCH_LENGTH}
              aria-invalid={errors.length > 0}
              aria-describedby={`${id}-text`}
            />
          </Combobox.Chips>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner className={styles.positioner} sideOffset={4}>
            <Combobox.Popup className={styles.popup}>
              <Combobox.Status className={styles.status}>
                {isError ? t`The models cannot be read just now.` : isPending ? t`Searching …` : null}
              </Combobox.Status>
              <Combobox.Empty className={styles.status}>
                {isPending || isError ? null : t`No model is called like that.`}
              </Combobox.Empty>
              <Combobox.List>
                {(model: string) => (
                  <Combobox.Item key={model} value={model} className={styles.item}>
                    <bdi className={styles.model}>{model}</bdi>
                    <Combobox.ItemIndicator className={styles.mark}>✓</Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      <div className="field" id={`${id}-text`}>
        {errors.map((error) => (
          <p key={error} className="error-text">
            {error}
          </p>
        ))}
        {errors.length > 0 ? null : (
          <p className="hint">
            {plural(value.length, {
              0: "No model is chosen yet.",
              one: "# model is chosen.",
              other: "# models are chosen.",
            })}{" "}
            {t`${MAX_KEY_MODELS} at most.`}
          </p>
        )}
      </div>
    </div>
  );
}
