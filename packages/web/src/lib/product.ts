/** The operator's name for the product, which the server writes into the page. */
export function productName(): string {
  const name = document.querySelector('meta[name="product-name"]')?.getAttribute("content");
  return name && !name.startsWith("%") ? name : "Feather";
}
