import type { BillingDetails } from "@feather/sdk";
import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { billingDetailsQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import { nameCurrency } from "#/entities/money/money.ts";
import { currenciesQuery } from "#/entities/plans/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./billing-details-section.module.css";
import { listCountries } from "./countries.ts";
import { VatIdCheckNote } from "./vat-id-check-note.tsx";

const schema = z.object({
  name: z.string().trim().max(200, { error: t`At most 200 characters.` }),
  address: z.string().trim().max(500, { error: t`At most 500 characters.` }),
  postal_code: z.string().trim().max(20, { error: t`At most 20 characters.` }),
  city: z.string().trim().max(100, { error: t`At most 100 characters.` }),
  country: z.string(),
  vat_id: z.string().trim().max(30, { error: t`At most 30 characters.` }),
  buyer_reference: z.string().trim().max(100, { error: t`At most 100 characters.` }),
  currency: z.string(),
  email: z.union([z.literal(""), z.email({ error: t`E-mail is not valid.` })]),
});
type Values = z.infer<typeof schema>;

/** The name, address and VAT id that invoices are written to, the address of accounting, and the currency. */
export function BillingDetailsSection({ mayChange }: { mayChange: boolean }) {
  const details = useQuery(billingDetailsQuery);
  return (
    <section className="mt-8" aria-labelledby="billing-details">
      <h2 className="h4" id="billing-details">
        {t`Billing details`}
      </h2>
      <p className="muted mt-2">{t`Stand on the next invoices. Those that exist stay as they are.`}</p>
      {details.isError ? (
        <LoadError subject={t`Billing details`} error={details.error} retry={() => void details.refetch()} />
      ) : details.data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <>
          <VatIdCheckNote check={details.data.vat_id_check} />
          {mayChange ? <BillingDetailsForm details={details.data} /> : <BillingDetailsText details={details.data} />}
        </>
      )}
    </section>
  );
}

function BillingDetailsForm({ details }: { details: BillingDetails }) {
  const { data } = useQuery(currenciesQuery);
  const currencies = data?.items.map(({ code }) => code) ?? [];
  const { refreshBilling } = useBillingRefresh();
  const update = useAction(
    (values: Values) =>
      feather.organization.billingDetails.update({
        name: values.name || null,
        address: values.address || null,
        postal_code: values.postal_code || null,
        city: values.city || null,
        country: values.country || null,
        vat_id: values.vat_id || null,
        buyer_reference: values.buyer_reference || null,
        email: values.email || null,
        ...(values.currency !== details.currency && { currency: values.currency }),
      }),
    {
      success: () => t`Saved`,
      onSuccess(saved, _, client) {
        client.setQueryData(billingDetailsQuery.queryKey, saved);
        // Prices are shown in the new currency.
        if (saved.currency !== details.currency) void refreshBilling();
      },
    },
  );
  return (
    <div className={`mt-4 ${styles.formColumn}`}>
      <Form
        key={JSON.stringify(toValues(details))}
        schema={schema}
        initial={toValues(details)}
        fields={[
          {
            name: "name",
            label: t`Legal name`,
            hint: t`Empty for the name of the organization.`,
            autoComplete: "organization",
          },
          {
            name: "address",
            label: t`Address`,
            kind: "text",
            rows: 3,
            hint: t`Without postal code, city and country.`,
          },
          { name: "postal_code", label: t`Postal code`, autoComplete: "postal-code" },
          { name: "city", label: t`City`, autoComplete: "address-level2" },
          { name: "country", label: t`Country`, kind: "choice", options: listCountries(i18n.locale, t`Not set`) },
          {
            name: "vat_id",
            label: t`VAT id`,
            hint: t`With the prefix of the country, such as DE. Its form is checked when it is saved.`,
          },
          {
            name: "buyer_reference",
            label: t`Your reference`,
            hint: t`Stands on your invoices, such as the Leitweg-ID of a German authority.`,
          },
          {
            name: "email",
            label: t`E-mail of accounting`,
            hint: t`Receipts go there with the invoice as PDF, instead of to an admin.`,
            type: "email",
          },
          ...(currencies.length < 2
            ? []
            : [
                {
                  name: "currency" as const,
                  label: t`Currency`,
                  kind: "choice" as const,
                  options: currencies.map((code) => ({ value: code, label: nameCurrency(code) })),
                  hint: t`Plans, invoices and payments are in it. It stays while there is a paid plan, an open invoice or something kept for the next ones.`,
                },
              ]),
        ]}
        submitLabel={t`Save`}
        block={false}
        secondary
        afterSubmit="keep"
        submit={update.submit}
      />
    </div>
  );
}

function BillingDetailsText({ details }: { details: BillingDetails }) {
  const { currency, ...texts } = toValues(details);
  const isOther = currency !== "USD";
  const lines = [...Object.values(texts), isOther ? nameCurrency(currency) : ""].filter((line) => line !== "");
  return <p className={`mt-2 user-text ${styles.lines}`}>{lines.length === 0 ? t`None yet.` : lines.join("\n")}</p>;
}

function toValues(details: BillingDetails): Values {
  const { name, address, postal_code, city, country, vat_id, buyer_reference, email, currency } = details;
  return {
    name: name ?? "",
    address: address ?? "",
    postal_code: postal_code ?? "",
    city: city ?? "",
    country: country ?? "",
    vat_id: vat_id ?? "",
    buyer_reference: buyer_reference ?? "",
    email: email ?? "",
    currency,
  };
}
