/** How purchases are taxed: by the rate of the settings or by a tax service, and what VIES says of VAT ids. */
export {
  type BillingDetails,
  type BillingDetailsRepository,
  createBillingDetailsRepository,
} from "./billing-details.repository.ts";
export { type CalculatedTaxes, createCalculatedTaxes, isReverseCharge } from "./calculated-taxes.ts";
export { type Tax, type TaxOf, taxAt } from "./tax.ts";
export { addRefundReport, addSaleReport, createTaxReports } from "./tax-reports.ts";
export { createTaxes, type Taxes } from "./tax-treatment.ts";
export { parseVatId } from "./vat-id.ts";
export {
  createVatIdChecksRepository,
  type DueCheck,
  type VatIdCheck,
  type VatIdChecksRepository,
} from "./vat-id-checks.repository.ts";
export { createVies, type Vies, type ViesAnswer } from "./vies-client.ts";
