/** The product logo: a feather. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M20.2 3.8C13 3.4 7.4 7.4 6.3 14.1L5.8 18l3.9-.5c6.700-1 10.800-6.500 10.500-13.700Z" />
      <path d="M3.5 20.5 14.800 9.2" />
      <path d="M9 14.900h5.300M12.200 11.800h5.300" />
    </svg>
  );
}
