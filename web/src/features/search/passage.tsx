import type { Part } from '@customer-database/words/hits';
import { Text } from '@mantine/core';
import { MarkedText } from '../../ui/marked-text.tsx';

export function Passage({ parts }: { parts: Part[] }) {
  return (
    <Text size="sm" dir="auto" lineClamp={3} mt={4} style={{ textAlign: 'start' }}>
      <MarkedText parts={parts} />
    </Text>
  );
}
