import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PaymentsCheck } from "./payments-check.tsx";

afterEach(cleanup);

const check = { checked_at: new Date(), charges: 41, refunds: 2, disputes: 1, differences: [] };

test("a comparison of payments without differences says that both agree", async () => {
  render(<PaymentsCheck check={check} />);
  expect(await screen.findByText("They agree with the payment service")).toBeTruthy();
  expect(screen.getByText(/41 charges, 2 refunded, 1 disputes/)).toBeTruthy();
});

test("a difference of payments names the payment, both amounts, and whether it was posted", async () => {
  const refund = {
    kind: "refund",
    reference: "pi_1",
    payment_id: "pay_1",
    currency: "USD",
    service_cents: 400,
    our_cents: 0,
  } as const;
  render(<PaymentsCheck check={{ ...check, differences: [{ ...refund, repaired: true }] }} />);
  const row = (await screen.findByText("pay_1")).closest("tr");
  expect(row?.textContent).toBe("pay_1other refunds$4.00$0.00posted now");
});
