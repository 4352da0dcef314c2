import { t } from "@lingui/core/macro";
import { Select } from "#/components/ui/controls/select.tsx";

/** Chooses the currency in which prices are shown, not in which is paid. Nothing where there is only one. */
export function CurrencyChooser({
  currencies,
  value,
  onChange,
}: {
  currencies: readonly string[];
  value: string;
  onChange(currency: string): void;
}) {
  if (currencies.length < 2) return null;
  return (
    <div className="row mt-4">
      <Select
        look="button"
        aria-label={t`Currency`}
        value={value}
        options={currencies.map((code) => ({ value: code, label: code }))}
        onChange={onChange}
      />
    </div>
  );
}
