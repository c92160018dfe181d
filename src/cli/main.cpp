// SPDX-License-Identifier: Apache-2.0
// Entry point of the rooflab binary.
int main() { return 2; }
