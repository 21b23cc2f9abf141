import type { Customer } from '@customer-database/contract/customers';
import { Stack, Text } from '@mantine/core';
import { UserText } from '../../ui/user-text.tsx';

export function AddressLines({ parts }: { parts: Record<string, string | null> }) {
  const lines = Object.entries(parts).filter(([, text]) => text);
  if (lines.length === 0) return <UserText>{null}</UserText>;
  return (
    <Stack gap={2}>
      {lines.map(([part, text]) => (
        <Text key={part} dir="auto" inherit>
          {text}
        </Text>
      ))}
    </Stack>
  );
}

/** As on an envelope; a missing part leaves no stray comma. */
export const addressParts = ({ street_line, city, province, country }: Customer) => ({
  street_line,
  place: [city, province].filter(Boolean).join(', '),
  country,
});
