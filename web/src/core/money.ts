// Play money in words. Amounts are whole TNB.
const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export const amount = (value: number): string => whole.format(value);
export const inTnb = (value: number): string => `${amount(value)} TNB`;
