import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { NativeSelect } from "#/components/ui/controls/native-select.tsx";
import { paths } from "#/config/paths.ts";
import { nameCurrency } from "#/entities/money/money.ts";

/** Chooses the currency in which prices are shown, not in which is paid. */
export function CurrencyChooser({
  currencies,
  value,
  ownCurrency,
  onChange,
}: {
  currencies: readonly string[];
  value: string;
  /** The currency in which the user's organization pays; null for visitors. */
  ownCurrency: string | null;
  onChange(currency: string): void;
}) {
  return (
    <div className="row wrapping mt-4">
      <NativeSelect
        aria-label={t`Currency`}
        value={value}
        options={currencies.map((code) => ({ value: code, label: code }))}
        onChange={onChange}
      />
      {ownCurrency !== null && value !== ownCurrency ? (
        <span className="small muted">
          <Trans>
            Your organization pays in {nameCurrency(ownCurrency)}.{" "}
            <Link className="link" to={paths.account}>
              Change it with the billing details
            </Link>
          </Trans>
        </span>
      ) : null}
    </div>
  );
}
