import { Group, Text } from '@mantine/core';

export const productName = 'Customer Database';

export function Logo({ size = 28 }: { size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}

export function Brand() {
  return (
    <Group gap={10} wrap="nowrap">
      <Logo />
      <Text fw={650} size="md" style={{ letterSpacing: '-0.01em' }}>
        {productName}
      </Text>
    </Group>
  );
}
