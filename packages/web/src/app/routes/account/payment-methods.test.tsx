import type { SetupIntent, SiteConfig } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bankConfirmationRequired, billingHandlers, viewer, visa } from "#/testing/billing.ts";
import { maria, neverSettles, renderPage } from "#/testing/page.tsx";
import PaymentMethodAddedPage from "./payment-method-added.tsx";
import PaymentMethodsPage from "./payment-methods.tsx";

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const master = { ...visa, id: "pm_2", brand: "mastercard", last4: "4444", is_default: false };
const INTENT: SetupIntent = {
  id: "seti_1",
  client_secret: "s",
  url: null,
  status: "requires_payment_method",
  is_test: true,
};
const ROUTES: StubHandlers = [
  http.paymentMethods.list({ items: [visa, master] }),
  http.paymentMethods.setupIntents.create(INTENT),
  ...billingHandlers(),
];
const SITE: SiteConfig = {
  product_name: "Feather",
  version: "0.1.0",
  public_url: "http://localhost",
  posthog_key: null,
  posthog_host: null,
  providers: [],
  passkeys: true,
  payments: "stripe",
  stripe_publishable_key: "pk_test_x",
  marketplaces: "off",
};
const NONE: StubHandlers = [http.paymentMethods.list({ items: [] })];
const show = (routes: StubHandlers = []) =>
  renderPage(<PaymentMethodsPage />, "/account/payment-methods", "/account/payment-methods", [...routes, ...ROUTES]);
const showAdded = (routes: StubHandlers = []) =>
  renderPage(<PaymentMethodAddedPage />, "/account/payment-method-added", "/account/payment-method-added", [
    ...routes,
    ...ROUTES,
  ]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const rowOf = async (name: string) => (await screen.findByText(name)).closest("tr") as HTMLElement;

describe("the list of cards", () => {
  test("the list of cards shows each card with its state, and that it is a test", async () => {
    show();
    expect(within(await rowOf("Visa ending in 4242")).getByText("pays")).toBeTruthy();
    expect(within(await rowOf("Mastercard ending in 4444")).getByText("kept for later")).toBeTruthy();
    expect(screen.getByText(/No money moves/)).toBeTruthy();
  });

  test("the list of cards marks expired cards", async () => {
    show([http.paymentMethods.list({ items: [{ ...visa, exp_year: 2020 }] })]);
    expect(await screen.findByText("expired")).toBeTruthy();
  });

  test("the list of cards explains what a card is for when it is empty", async () => {
    show(NONE);
    expect(await screen.findByText("No card yet")).toBeTruthy();
    expect(screen.getAllByRole("button", { name: "Add a card" })).toHaveLength(1);
  });

  test("the list of cards shows that it is loading, and retries after a failure", async () => {
    show([http.paymentMethods.list(neverSettles)]);
    expect(await screen.findByText("Loading the cards")).toBeTruthy();
    show([http.paymentMethods.list(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("The cards cannot be read just now.");
  });
});

describe("Stripe's customer portal", () => {
  const withPortal = http.system.config({ ...SITE, stripe_portal: true });

  test("is offered only where it is switched on, and to those who may change cards", async () => {
    show([http.system.config(SITE)]);
    await screen.findByText("Visa ending in 4242");
    expect(screen.queryByRole("heading", { name: "Cards and address at Stripe" })).toBeNull();
    cleanup();
    show([withPortal, http.auth.me(viewer)]);
    await screen.findByRole("note");
    expect(screen.queryByRole("button", { name: "Open Stripe" })).toBeNull();
  });

  test("opens at the address that the server gives", async () => {
    const assignLocation = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    const url = "https://billing.stripe.com/p/session/1";
    show([withPortal, http.paymentMethods.openPortal({ url, is_test: false })]);
    await press("Open Stripe");
    await waitFor(() => expect(assignLocation).toHaveBeenCalledWith(url));
  });

  test("says why it does not open", async () => {
    const refused = refuse(409, "payments.portal_unavailable", "The payment service does not open its portal.");
    show([withPortal, http.paymentMethods.openPortal(refused)]);
    await press("Open Stripe");
    expect((await screen.findByRole("alert")).textContent).toContain("does not open its portal");
  });
});

describe("the default card", () => {
  test("the default card changes at once", async () => {
    const { requests } = show([http.paymentMethods.makeDefault(neverSettles, { params: { id: "pm_2" } })]);
    await press("Pay with it: Mastercard ending in 4444");
    await waitFor(async () => expect(within(await rowOf("Mastercard ending in 4444")).getByText("pays")).toBeTruthy());
    expect(within(await rowOf("Visa ending in 4242")).getByText("kept for later")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  test("the default card stays the same if the server refuses", async () => {
    show([
      http.paymentMethods.makeDefault(refuse(404, "payment_methods.not_found", "There is no card with this id."), {
        params: { id: "pm_2" },
      }),
    ]);
    await press("Pay with it: Mastercard ending in 4444");
    expect((await screen.findByRole("alert")).textContent).toContain("There is no card with this id.");
    expect(within(await rowOf("Visa ending in 4242")).getByText("pays")).toBeTruthy();
  });
});

describe("removing a card", () => {
  test("removing a card asks for a confirmation", async () => {
    let gone = false;
    const { requests } = show([
      http.paymentMethods.list(() => ({ items: gone ? [visa] : [visa, master] })),
      http.paymentMethods.delete(
        () => {
          gone = true;
          return undefined;
        },
        { params: { id: "pm_2" } },
      ),
    ]);
    await press("Remove Mastercard ending in 4444");
    expect(requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Remove Mastercard ending in 4444" }));
    await waitFor(() => expect(screen.queryByText("Mastercard ending in 4444")).toBeNull());
    expect(requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  test("removing a card is refused with a message for the card of a paid plan", async () => {
    const message = "This card pays for your plan. Add another first, or cancel the plan.";
    show([http.paymentMethods.delete(refuse(409, "payment_methods.needed", message), { params: { id: "pm_1" } })]);
    await press("Remove Visa ending in 4242");
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Remove Visa ending in 4242" }));
    expect((await screen.findByRole("alert")).textContent).toContain(message);
  });
});

describe("adding a card", () => {
  test("adding a card sends a test card once", async () => {
    let there = false;
    const { requests } = show([
      http.paymentMethods.list(() => ({ items: there ? [visa] : [] })),
      http.paymentMethods.setupIntents.confirm(
        () => {
          there = true;
          return visa;
        },
        { params: { id: "seti_1" } },
      ),
    ]);
    await press("Add a card");
    await userEvent.dblClick(await screen.findByRole("button", { name: "Add card" }));
    expect(await screen.findByText("Visa ending in 4242")).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/seti_1")).map(({ body }) => body)).toEqual([
      { test_card: "4242424242424242" },
    ]);
  });

  test("adding a card keeps the form usable after a declined card", async () => {
    show([
      http.paymentMethods.setupIntents.confirm(
        refuse(402, "payments.card_declined", "The card was declined (card_declined). Try another card."),
        { params: { id: "seti_1" } },
      ),
    ]);
    await press("Add a card");
    await press("4000 0000 0000 0002");
    await press("Add card");
    expect((await screen.findByRole("alert")).textContent).toContain("The card was declined");
    expect(screen.getByLabelText("Test card number")).toHaveProperty("value", "4000 0000 0000 0002");
    expect(screen.getByRole("button", { name: "Add card" })).toHaveProperty("disabled", false);
  });

  test("adding a card opens the page of the bank if it asks for a confirmation", async () => {
    const assignLocation = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    show([
      http.paymentMethods.setupIntents.confirm(() => bankConfirmationRequired("https://bank.example/1"), {
        params: { id: "seti_1" },
      }),
    ]);
    await press("Add a card");
    await press("4000 0025 0000 3155");
    await press("Add card");
    await press("Confirm with your bank");
    expect(assignLocation).toHaveBeenCalledWith("https://bank.example/1");
    expect(sessionStorage.getItem("afterCard")).toBe("/account/payment-methods");
    assignLocation.mockRestore();
  });

  test("adding a card does not open a bank URL that would run code", async () => {
    const assignLocation = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    const thrown = vi.fn((event: Event) => event.preventDefault());
    globalThis.addEventListener("error", thrown);
    show([
      http.paymentMethods.setupIntents.confirm(() => bankConfirmationRequired("javascript:alert(1)"), {
        params: { id: "seti_1" },
      }),
    ]);
    await press("Add a card");
    await press("Add card");
    await press("Confirm with your bank").catch(() => {});
    expect(assignLocation).not.toHaveBeenCalled();
    globalThis.removeEventListener("error", thrown);
    assignLocation.mockRestore();
  });

  test.each(["", "4242", "4242 4242 4242 424x", "<script>"])(
    "adding a card rejects the number %j without sending it",
    async (typed) => {
      const { requests } = show();
      await press("Add a card");
      const field = await screen.findByLabelText("Test card number");
      await userEvent.clear(field);
      if (typed) await userEvent.type(field, typed);
      await press("Add card");
      expect(await screen.findByText("Card number is not valid: it has 12 to 19 digits.")).toBeTruthy();
      expect(requests.filter(({ path }) => path.endsWith("/seti_1"))).toEqual([]);
    },
  );

  test("adding a card starts again after the form has expired", async () => {
    let createdCount = 0;
    show([
      http.paymentMethods.setupIntents.create(() => ({ ...INTENT, id: `seti_${++createdCount}` })),
      http.paymentMethods.setupIntents.confirm(
        refuse(409, "setup_intents.ended", "This setup intent has ended. Make a new one."),
        { params: { id: "seti_1" } },
      ),
      http.paymentMethods.setupIntents.confirm(visa, { params: { id: "seti_2" } }),
    ]);
    await press("Add a card");
    await press("Add card");
    await press("Begin anew");
    await waitFor(() => expect(createdCount).toBe(2));
    await press("Add card");
    await waitFor(() => expect(screen.queryByLabelText("Test card number")).toBeNull());
  });
});

describe("adding a card in Stripe's form", () => {
  type Confirmation = { error?: { message: string } };

  /** What the stand-in for Stripe's script does; the page's loader keeps the function that it found first. */
  const script = { run: (): object => ({}) };

  /** Stands in for Stripe's script, which the page finds loaded. */
  function stubStripe(confirmations: readonly Confirmation[], create: () => void = () => {}) {
    const pending = [...confirmations];
    const confirmSetup = vi.fn(async () => pending.shift() ?? {});
    const element = { on: () => {}, mount: (host: HTMLElement) => host.append("Stripe's form"), destroy: () => {} };
    script.run = () => {
      create();
      return { elements: () => ({ create: () => element }), confirmSetup, _registerWrapper: () => {} };
    };
    vi.stubGlobal(
      "Stripe",
      Object.assign(() => script.run(), { version: "endive" }),
    );
    const url = "http://localhost/account/payment-methods";
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ name: url }] as PerformanceNavigationTiming[]);
    return confirmSetup;
  }
  const paidByStripe: StubHandlers = [http.system.config(SITE)];

  test("a card that Stripe confirmed is saved without its number", async () => {
    const confirmSetup = stubStripe([{}]);
    const { requests } = show([
      ...paidByStripe,
      http.paymentMethods.setupIntents.confirm(visa, { params: { id: "seti_1" } }),
    ]);
    await press("Add a card");
    expect(await screen.findByText("Stripe's form")).toBeTruthy();
    expect(screen.queryByLabelText("Test card number")).toBeNull();
    await press("Add card");
    await waitFor(() => expect(screen.queryByText("Stripe's form")).toBeNull());
    expect(confirmSetup).toHaveBeenCalledWith(expect.objectContaining({ redirect: "if_required" }));
    const saved = requests.filter(({ path }) => path === "/payment-methods/setup-intent/seti_1");
    expect(saved.map(({ body }) => body ?? null)).toEqual([null]);
  });

  test("a card that Stripe declined shows the reason, and another can be tried", async () => {
    stubStripe([{ error: { message: "Your card was declined." } }, {}]);
    const { requests } = show([
      ...paidByStripe,
      http.paymentMethods.setupIntents.confirm(visa, { params: { id: "seti_1" } }),
    ]);
    await press("Add a card");
    await screen.findByText("Stripe's form");
    await press("Add card");
    expect((await screen.findByRole("alert")).textContent).toContain("Your card was declined.");
    expect(requests.filter(({ path }) => path.startsWith("/payment-methods/setup-intent/"))).toEqual([]);
    await press("Add card");
    await waitFor(() => expect(screen.queryByText("Stripe's form")).toBeNull());
  });

  test("a form that cannot be loaded says so, and can be tried again", async () => {
    stubStripe([], () => {
      throw new Error("Failed to load Stripe.js");
    });
    show(paidByStripe);
    await press("Add a card");
    expect((await screen.findByRole("alert")).textContent).toContain("Stripe's card form cannot be loaded.");
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

describe("a user who may not change cards", () => {
  test("a user who may not change cards as a viewer sees whom to ask, and nothing is requested", async () => {
    const { requests } = show([http.auth.me(viewer)]);
    expect((await screen.findByRole("note")).textContent).toContain("You are a viewer of Winter & Sons.");
    expect(requests.filter(({ path }) => path.startsWith("/payment"))).toEqual([]);
  });

  test("a user who may not change cards as an impersonating admin sees the cards only", async () => {
    show([http.auth.me({ ...maria, impersonated_by: "usr_9" })]);
    expect(await screen.findByText("Visa ending in 4242")).toBeTruthy();
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Copy"]);
  });
});

describe("the page after the bank", () => {
  test("the page after the bank shows the cards, with a link to the plan", async () => {
    showAdded();
    expect(await screen.findByRole("heading", { name: "Payment method added" })).toBeTruthy();
    expect(await screen.findByText("Visa ending in 4242")).toBeTruthy();
    expect(screen.getByRole("link", { name: "See the plan" }).getAttribute("href")).toBe("/account");
  });

  test("the page after the bank continues where the user left off", async () => {
    sessionStorage.setItem("afterCard", "/subscription/change?plan=feather_scale&intent=seti_1");
    showAdded();
    const link = await screen.findByRole("link", { name: "Go on with the change of plan" });
    expect(link.getAttribute("href")).toBe("/subscription/change?plan=feather_scale&intent=seti_1");
    expect(sessionStorage.getItem("afterCard")).toBeNull();
  });

  test.each(["https://evil.example/", "//evil.example", "javascript:alert(1)"])(
    "the page after the bank does not open %s",
    async (returnPath) => {
      sessionStorage.setItem("afterCard", returnPath);
      showAdded();
      expect(await screen.findByRole("link", { name: "See the plan" })).toBeTruthy();
      expect(screen.queryByRole("link", { name: /Go on/ })).toBeNull();
    },
  );

  test("the page after the bank shows that no card was added", async () => {
    showAdded(NONE);
    expect(await screen.findByRole("heading", { name: "No card was added" })).toBeTruthy();
  });
});

describe("a card that is entered at another payment service", () => {
  const PAGE = "https://bank.example/setups/1";

  test("the form leads to the page of the payment service, and remembers the card", async () => {
    const assignLocation = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    const intent = { ...INTENT, client_secret: null, url: PAGE, is_test: false };
    show([http.paymentMethods.setupIntents.create(intent)]);
    await press("Add a card");
    await press("Go to the payment service");
    expect(assignLocation).toHaveBeenCalledWith(PAGE);
    expect(screen.queryByLabelText("Test card number")).toBeNull();
    expect(sessionStorage.getItem("cardIntent")).toBe("seti_1");
    expect(sessionStorage.getItem("afterCard")).toBe("/account/payment-methods");
  });

  test("the page that the buyer returns to saves the card once, and shows it", async () => {
    sessionStorage.setItem("cardIntent", "seti_1");
    let isThere = false;
    const { requests } = showAdded([
      http.paymentMethods.list(() => ({ items: isThere ? [visa] : [] })),
      http.paymentMethods.setupIntents.confirm(
        () => {
          isThere = true;
          return visa;
        },
        { params: { id: "seti_1" } },
      ),
    ]);
    expect(await screen.findByText("Visa ending in 4242")).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/seti_1"))).toHaveLength(1);
    expect(sessionStorage.getItem("cardIntent")).toBeNull();
  });

  test("the page that the buyer returns to says why the card could not be saved", async () => {
    sessionStorage.setItem("cardIntent", "seti_1");
    const refused = refuse(402, "payment_methods.required", "This setup intent holds no confirmed card.");
    showAdded([http.paymentMethods.setupIntents.confirm(refused, { params: { id: "seti_1" } }), ...NONE]);
    expect((await screen.findByRole("alert")).textContent).toContain("holds no confirmed card");
    expect(await screen.findByText("No card was added")).toBeTruthy();
  });
});
