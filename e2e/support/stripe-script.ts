import { type FakeStripe, STRIPE_KEYS } from "@feather/testing/fake-stripe";
import type { BrowserContext } from "playwright-core";

/**
 * Lets the pages of a browser load a stand-in for Stripe's script: a form with one field, the request that Stripe.js makes to
 * confirm a card, and the question of the bank with two buttons. Requests to Stripe's API go to the stand-in `fake`, and so do the
 * pages of the bank, which the buyer confirms.
 */
export async function routeStripe(context: BrowserContext, fake: FakeStripe): Promise<void> {
  await context.route("https://js.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: STRIPE_SCRIPT }),
  );
  await context.route("https://api.stripe.com/**", async (route) => {
    const request = route.request();
    const response = await fetch(fake.url + new URL(request.url()).pathname, {
      method: request.method(),
      headers: {
        authorization: `Bearer ${STRIPE_KEYS.publishableKey}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: request.postData(),
    });
    const headers = { "access-control-allow-origin": "*" };
    await route.fulfill({
      status: response.status,
      headers,
      contentType: "application/json",
      body: await response.text(),
    });
  });
  await context.route("https://api.stripe.com/authenticate/**", async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    fake.authenticate(pathname, searchParams.get("approved") === "true");
    await route.fulfill({
      headers: { "access-control-allow-origin": "*" },
      contentType: "application/json",
      body: "{}",
    });
  });
  await context.route(`${fake.url}/authenticate/**`, async (route) => {
    const url = route.request().url();
    const intent = fake.store.paymentIntents.get(url.slice(url.lastIndexOf("/") + 1));
    const location = intent?.next_action?.redirect_to_url.return_url ?? "/";
    fake.authenticate(url, true);
    await route.fulfill({ status: 303, headers: { location } });
  });
}

const STRIPE_SCRIPT = `
window.Stripe = () => ({
  elements({ clientSecret }) {
    const form = document.createElement("div");
    form.innerHTML = '<label>Card number <input name="number" inputmode="numeric"></label>';
    return { clientSecret, form, create: () => ({ on() {}, mount: (host) => host.append(form), destroy: () => form.remove() }) };
  },
  async confirmSetup({ elements: { clientSecret, form } }) {
    const id = clientSecret.slice(0, clientSecret.indexOf("_secret"));
    const body = new URLSearchParams({
      client_secret: clientSecret,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": form.querySelector("input").value,
    });
    const response = await fetch("https://api.stripe.com/v1/setup_intents/" + id + "/confirm", { method: "POST", body });
    const answer = await response.json();
    if (answer.error) return { error: answer.error };
    if (answer.status !== "requires_action") return { setupIntent: answer };
    const approved = await new Promise((resolve) => {
      for (const [text, value] of [["Complete authentication", true], ["Fail authentication", false]]) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.onclick = () => resolve(value);
        form.append(button);
      }
    });
    for (const button of form.querySelectorAll("button")) button.remove();
    await fetch("https://api.stripe.com/authenticate/" + id + "?approved=" + approved, { method: "POST" });
    return approved ? { setupIntent: answer } : { error: { message: "We are unable to authenticate your payment method." } };
  },
});
`;
