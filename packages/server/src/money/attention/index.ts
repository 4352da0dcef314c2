export { listBillingAttention } from "./billing-attention.ts";
