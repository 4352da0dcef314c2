/** Returns the product name the operator set, from a meta tag the server fills in; "Feather" if there is none. */
export function getProductName(): string {
  const name = document.querySelector('meta[name="product-name"]')?.getAttribute("content");
  return name && !name.startsWith("%") ? name : "Feather";
}
