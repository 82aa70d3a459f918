// Play money in words. Amounts are whole; what they are called is the server's to say.
const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export const amount = (value: number): string => whole.format(value);
export const money = (value: number, currency: string): string => `${amount(value)} ${currency}`;
